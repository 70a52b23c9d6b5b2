from torch.utils.data import DataLoader

for batch in DataLoader(data, batch_size=4):
    print(batch)
